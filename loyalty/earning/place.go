package earning

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"punchcard/platform/form"
)

// Degrees is an angle in units of 10^-7 degrees, about a centimetre on the ground.
type Degrees int64

const (
	degreeDigits = 7 // decimal places
	oneDegree    = 10_000_000
)

// MarshalJSON returns a JSON number without trailing zeros.
func (d Degrees) MarshalJSON() ([]byte, error) {
	text, sign := strconv.FormatInt(int64(d), 10), ""
	if d < 0 {
		text, sign = text[1:], "-"
	}
	if missing := degreeDigits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	whole, fraction := text[:len(text)-degreeDigits], strings.TrimRight(text[len(text)-degreeDigits:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return []byte(sign + whole + fraction), nil
}

// UnmarshalJSON reads the output of MarshalJSON.
func (d *Degrees) UnmarshalJSON(text []byte) error {
	n, ok := form.ParseDecimal(string(text), degreeDigits)
	if !ok {
		return fmt.Errorf("%s is no angle", text)
	}
	*d = Degrees(n)
	return nil
}

func (d Degrees) radians() float64 { return float64(d) / oneDegree * math.Pi / 180 }

// Place is a geographic position.
type Place struct {
	Latitude  Degrees `json:"latitude"`
	Longitude Degrees `json:"longitude"`
}

// Circle is a place with a radius.
type Circle struct {
	Place
	Radius Amount `json:"radius"` // kilometres
}

// contains reports whether the place is inside the circle or on it.
func (c Circle) contains(p Place) bool { return c.kilometres(p) <= float64(c.Radius)/100 }

const earthRadius = 6371 // kilometres

// kilometres returns the distance on the sphere by the haversine formula.
func (p Place) kilometres(q Place) float64 {
	lat1, lat2 := p.Latitude.radians(), q.Latitude.radians()
	sinLat, sinLong := math.Sin((lat2-lat1)/2), math.Sin((q.Longitude.radians()-p.Longitude.radians())/2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLong*sinLong
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}
