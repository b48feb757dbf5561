package reader

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// This file takes the metadata lines off documents of the Fudan corpus. In half of them lines like
//
//	【 文献号 】1-2340
//	【分 类 名】出版工作、图书评介
//	【 标  题 】图书评论应当重视对书籍装帧艺术的评价
//	【 正  文 】
//
// stand before the text: here its number, the name of its class, the title, and
// "main text". Long values go on in lines without a bracket.

const (
	openBracket  = "【"
	closeBracket = "】"
	mainText     = "正文"
	// longestName bounds a name with its brackets and spaces; the longest known
	// has 20 bytes.
	longestName = 40
)

// longestMetadata bounds the lines before the main text; the longest of the corpus have 7,979 bytes.
const longestMetadata = 16 << 10

// All documents of the layout begin with a number or a date.
var firstFields = []string{"文献号", "日期"}

// metadataFields are the names in the corpus, without their spaces.
var metadataFields = map[string]bool{
	"文献号": true, "原文出处": true, "原刊地名": true, "原刊期号": true, "原刊页号": true, "分类号": true, "分类名": true,
	"复印期号": true, "标题": true, "作者": true, "作者简介": true, "内容提要": true, "关键词": true, "日期": true, "版号": true,
	"英文摘要": true, "英文标题": true, "标题注释": true, "摘要题": true, "编者按": true, "文章日期": true, "译者": true,
	"责任编辑": true, "栏目": true, mainText: true,
}

// withoutMetadata returns a text without its metadata lines, and whether it had any. Unless
// anyDocument is set, only documents wholly in the layout lose them.
func withoutMetadata(text []byte, anyDocument bool) (proper []byte, found bool) {
	first, _ := bracketed(text)
	anyDocument = anyDocument && metadataFields[first]
	if !anyDocument && !slices.Contains(firstFields, first) {
		return text, false
	}
	for rest := text; len(rest) > 0 && len(text)-len(rest) < longestMetadata; _, rest = cutLine(rest) {
		if name, value := bracketed(rest); name == mainText {
			return withoutClass(value), true
		}
	}
	for proper = text; anyDocument; _, proper = cutLine(proper) {
		if name, _ := bracketed(proper); !metadataFields[name] {
			return proper, true
		}
	}
	return text, false
}

// withoutClass removes the lines at the front that give the class of a library's scheme,
// such as 【中图分类号】F116.
func withoutClass(text []byte) []byte {
	for {
		trimmed := bytes.TrimLeftFunc(text, unicode.IsSpace)
		if name, _ := bracketed(trimmed); !strings.HasSuffix(name, "分类号") {
			return text
		}
		_, text = cutLine(trimmed)
	}
}

// bracketed returns the name in brackets that a line begins with, without its spaces, and
// what follows it; "" for none.
func bracketed(line []byte) (name string, value []byte) {
	if !bytes.HasPrefix(line, []byte(openBracket)) {
		return "", line
	}
	inner, _, found := bytes.Cut(line[len(openBracket):min(len(line), longestName)], []byte(closeBracket))
	if !found {
		return "", line
	}
	return strings.Join(strings.Fields(string(inner)), ""), line[len(openBracket)+len(inner)+len(closeBracket):]
}
