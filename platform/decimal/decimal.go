// Package decimal has the fixed-point numbers of points, money, rates and quantities.
package decimal

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// The digits after the point of each type.
const (
	hundredthsDigits  = 2
	thousandthsDigits = 3
	MoneyDigits       = 4
	RateDigits        = 6
)

// OneRate is the Rate 1.
const OneRate = 1_000_000

// Hundredths is a number with two digits after the point, stored as a whole number of hundredths.
type Hundredths int64

// Thousandths is a number with three digits after the point, such as a quantity of 0.532 kg.
type Thousandths int64

// Money is an amount of money, stored as a whole number of ten-thousandths: no currency has more digits. Amounts are
// rounded to the digits of their currency when they are read and computed.
type Money int64

// Rate is a number that others are multiplied with, such as a percentage or the points for a unit of money, stored as
// a whole number of millionths. Rates are not rounded.
type Rate int64

// Whole returns n as hundredths.
func Whole(n int64) Hundredths { return Hundredths(n * 100) }

// Money returns the number as an amount of money.
func (h Hundredths) Money() Money { return Money(h) * 100 }

// Rate returns the number as a rate.
func (h Hundredths) Rate() Rate { return Rate(h) * 10_000 }

// String returns the shortest form: 10, 10.5, -0.05.
func (h Hundredths) String() string { return string(appendTo(nil, int64(h), hundredthsDigits)) }

// MarshalJSON returns a number in its shortest form.
func (h Hundredths) MarshalJSON() ([]byte, error) {
	return appendTo(nil, int64(h), hundredthsDigits), nil
}

// UnmarshalJSON parses a number with at most two digits after the point.
func (h *Hundredths) UnmarshalJSON(text []byte) error {
	return parse((*int64)(h), text, hundredthsDigits)
}

// String returns the shortest form: 2, 0.532.
func (t Thousandths) String() string { return string(appendTo(nil, int64(t), thousandthsDigits)) }

// MarshalJSON returns a number in its shortest form.
func (t Thousandths) MarshalJSON() ([]byte, error) {
	return appendTo(nil, int64(t), thousandthsDigits), nil
}

// UnmarshalJSON parses a number with at most three digits after the point.
func (t *Thousandths) UnmarshalJSON(text []byte) error {
	return parse((*int64)(t), text, thousandthsDigits)
}

// String returns the shortest form: 10, 10.5, 1.255.
func (m Money) String() string { return string(appendTo(nil, int64(m), MoneyDigits)) }

// MarshalJSON returns a number in its shortest form.
func (m Money) MarshalJSON() ([]byte, error) { return appendTo(nil, int64(m), MoneyDigits), nil }

// UnmarshalJSON parses a number with at most four digits after the point.
func (m *Money) UnmarshalJSON(text []byte) error { return parse((*int64)(m), text, MoneyDigits) }

// String returns the shortest form: 10, 0.005.
func (r Rate) String() string { return string(appendTo(nil, int64(r), RateDigits)) }

// MarshalJSON returns a number in its shortest form.
func (r Rate) MarshalJSON() ([]byte, error) { return appendTo(nil, int64(r), RateDigits), nil }

// UnmarshalJSON parses a number with at most six digits after the point.
func (r *Rate) UnmarshalJSON(text []byte) error { return parse((*int64)(r), text, RateDigits) }

// Fixed always returns the digits after the point: 10.00 with two digits.
func (m Money) Fixed(digits int) string {
	text := m.String()
	whole, fraction, _ := strings.Cut(text, ".")
	if missing := digits - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Fixed returns two digits after the point, or more if there are more: 7.50, 0.005.
func (r Rate) Fixed() string {
	text := r.String()
	_, fraction, found := strings.Cut(text, ".")
	if !found {
		text += "."
	}
	return text + strings.Repeat("0", max(0, 2-len(fraction)))
}

// Round returns the amount with at most the digits after the point, rounded half away from zero.
func (m Money) Round(digits int) Money {
	return m.MulDiv(1, 1, digits)
}

// Unit returns the smallest amount with the digits after the point.
func Unit(digits int) Money { return Money(power(MoneyDigits - min(digits, MoneyDigits))) }

func power(digits int) int64 {
	n := int64(1)
	for range digits {
		n *= 10
	}
	return n
}

func parse(to *int64, text []byte, digits int) error {
	whole, fraction, _ := strings.Cut(string(text), ".")
	if len(fraction) > digits {
		return fmt.Errorf("%s has more than %d digits after the point", text, digits)
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
	*to = n
	return err
}

// appendTo appends the shortest form of n units of 10^-digits.
func appendTo(b []byte, n int64, digits int) []byte {
	magnitude := uint64(n)
	if n < 0 {
		b, magnitude = append(b, '-'), -magnitude
	}
	unit := uint64(power(digits))
	b = strconv.AppendUint(b, magnitude/unit, 10)
	fraction := magnitude % unit
	if fraction == 0 {
		return b
	}
	b = append(b, '.')
	for fraction > 0 {
		unit /= 10
		b = append(b, '0'+byte(fraction/unit))
		fraction %= unit
	}
	return b
}

// MulDiv returns h × by ÷ of, rounded half away from zero. It panics if of is zero or the result does not fit 64 bits,
// which the limits of inputs exclude.
func (h Hundredths) MulDiv(by, of int64) Hundredths {
	return Hundredths(fitting(rounded(product(int64(h), by), big.NewInt(of))))
}

// MulDivDown is MulDiv rounded towards zero.
func (h Hundredths) MulDivDown(by, of int64) Hundredths {
	p := product(int64(h), by)
	return Hundredths(fitting(p.Quo(p, big.NewInt(of))))
}

// MulDiv returns m × by ÷ of, rounded half away from zero to the digits after the point. It panics like that of
// Hundredths.
func (m Money) MulDiv(by, of int64, digits int) Money {
	unit := int64(Unit(digits))
	return Money(fitting(rounded(product(int64(m), by), product(of, unit))) * unit)
}

// Worth returns the money for points at a rate of money for one point, rounded half away from zero to the digits
// after the point, or towards zero if down is set. ok is false if it does not fit 64 bits.
func Worth(points Hundredths, rate Rate, digits int, down bool) (_ Money, ok bool) {
	unit := int64(Unit(digits))
	// Hundredths times millionths, in units of 10^-digits.
	divisor := big.NewInt(power(hundredthsDigits + RateDigits - MoneyDigits))
	divisor.Mul(divisor, big.NewInt(unit))
	p := product(int64(points), int64(rate))
	if down {
		p.Quo(p, divisor)
	} else {
		p = rounded(p, divisor)
	}
	p.Mul(p, big.NewInt(unit))
	return Money(p.Int64()), p.IsInt64()
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// rounded returns a ÷ of, rounded half away from zero. It changes both.
func rounded(a, of *big.Int) *big.Int {
	twice := a.Lsh(a, 1)
	// Adding the divisor with the sign of the quotient before halving rounds half away from zero.
	if twice.Sign()*of.Sign() >= 0 {
		twice.Add(twice, of)
	} else {
		twice.Sub(twice, of)
	}
	return twice.Quo(twice, of.Lsh(of, 1))
}

func fitting(result *big.Int) int64 {
	if !result.IsInt64() {
		panic("decimal: result out of range")
	}
	return result.Int64()
}
