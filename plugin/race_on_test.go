//go:build race

package main

// raceCost is how many times the memory a program takes under the race detector.
const raceCost = 5
