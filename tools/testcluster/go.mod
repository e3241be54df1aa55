module github.com/runkora/kora/tools/testcluster

go 1.26.0
