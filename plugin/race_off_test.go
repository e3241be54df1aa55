//go:build !race

package main

const raceCost = 1
