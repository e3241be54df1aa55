module github.com/runkora/kora/tools/package

go 1.26.0
