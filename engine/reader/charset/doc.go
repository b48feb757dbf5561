// Package charset finds out what texts are written in, and decodes them to UTF-8.
//
// It takes bytes and gives UTF-8 with the name of what they were in. A [Decoder] decides for
// each text, an [Input] once for an input of many texts; a [Doubt] says where a guess is most
// likely wrong. Begin reading at decode.go. The package never refuses a text: malformed bytes
// become U+FFFD.
package charset
