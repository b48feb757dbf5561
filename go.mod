module github.com/termsift/termsift

go 1.26
