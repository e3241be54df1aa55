// Package authority makes certificate authorities and renews them without a gap
// (R50). It is pure: a State and a moment give the next State, and who calls
// keeps it.
//
// A certificate authority lives for a year. At two thirds of its life the next
// one is made and published, while the present one still signs: who verifies has
// a day to learn of the next. Then the next signs, and the present one stays
// trusted until it ends, since what it signed is still in use.
//
// Any clock is borne, ahead or back and right again: what is not valid by it does not
// sign, what is stays trusted, and what ended while it was ahead is remembered.
//
// A Deputy is an intermediate that the authority signs, for who signs leaves day
// by day: the authority's own key stays with who keeps the State.
package authority
