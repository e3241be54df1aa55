// Package gate lets so many requests of admission be judged at once as the operator
// has room for, and of one namespace fewer than of all: whoever floods it waits in a
// line of its own, and every other tenant is answered meanwhile (R54). Before that, while
// nobody knows whose a request is, [Reading] shares the room for bodies among addresses.
//
// Nothing runs in the background: a place in the line lasts as long as its request.
package gate
