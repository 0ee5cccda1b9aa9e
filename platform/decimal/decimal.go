// Package decimal has the fixed-point number of points and money.
package decimal

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Hundredths is a number with two digits after the point, stored as a whole number of hundredths.
type Hundredths int64

// Whole returns n as hundredths.
func Whole(n int64) Hundredths { return Hundredths(n * 100) }

// String returns the shortest form: 10, 10.5, -0.05.
func (h Hundredths) String() string {
	b := h.appendTo(nil)
	return string(b)
}

// MarshalJSON returns a number in its shortest form.
func (h Hundredths) MarshalJSON() ([]byte, error) { return h.appendTo(nil), nil }

// UnmarshalJSON parses a number with at most two digits after the point.
func (h *Hundredths) UnmarshalJSON(text []byte) error {
	whole, fraction, _ := strings.Cut(string(text), ".")
	if len(fraction) > 2 {
		return fmt.Errorf("%s has more than two digits after the point", text)
	}
	n, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	*h = Hundredths(n)
	return err
}

// Fixed always returns two digits after the point: 10.00.
func (h Hundredths) Fixed() string {
	b := h.appendSign(nil)
	whole, fraction := h.split()
	b = strconv.AppendUint(b, whole, 10)
	return string(append(b, '.', '0'+byte(fraction/10), '0'+byte(fraction%10)))
}

func (h Hundredths) appendTo(b []byte) []byte {
	b = h.appendSign(b)
	whole, fraction := h.split()
	b = strconv.AppendUint(b, whole, 10)
	if fraction == 0 {
		return b
	}
	b = append(b, '.', '0'+byte(fraction/10))
	if fraction%10 != 0 {
		b = append(b, '0'+byte(fraction%10))
	}
	return b
}

func (h Hundredths) appendSign(b []byte) []byte {
	if h < 0 {
		return append(b, '-')
	}
	return b
}

func (h Hundredths) split() (whole, fraction uint64) {
	magnitude := uint64(h)
	if h < 0 {
		magnitude = -magnitude
	}
	return magnitude / 100, magnitude % 100
}

// MulDiv returns h × by ÷ of, rounded half away from zero. It panics if of is zero or the result does not fit 64 bits,
// which the limits of inputs exclude.
func (h Hundredths) MulDiv(by, of int64) Hundredths {
	product := new(big.Int).Mul(big.NewInt(int64(h)), big.NewInt(by))
	twice := new(big.Int).Lsh(product, 1)
	divisor := big.NewInt(of)
	// Adding the divisor with the sign of the product before halving rounds half away from zero.
	if product.Sign()*divisor.Sign() >= 0 {
		twice.Add(twice, divisor)
	} else {
		twice.Sub(twice, divisor)
	}
	return fitting(twice.Quo(twice, divisor.Lsh(divisor, 1)))
}

// MulDivDown is MulDiv rounded towards zero.
func (h Hundredths) MulDivDown(by, of int64) Hundredths {
	product := new(big.Int).Mul(big.NewInt(int64(h)), big.NewInt(by))
	return fitting(product.Quo(product, big.NewInt(of)))
}

func fitting(result *big.Int) Hundredths {
	if !result.IsInt64() {
		panic("decimal: result out of range")
	}
	return Hundredths(result.Int64())
}
