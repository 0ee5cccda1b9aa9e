package earning

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func at(t testing.TB, latitude, longitude string) Place {
	t.Helper()
	var p Place
	if err := json.Unmarshal([]byte(`{"latitude":`+latitude+`,"longitude":`+longitude+`}`), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestKilometres(t *testing.T) {
	for _, c := range []struct {
		from, to [2]string
		want     float64
	}{
		{[2]string{"59.9139", "10.7522"}, [2]string{"59.9139", "10.7522"}, 0},
		{[2]string{"0", "0"}, [2]string{"0", "1"}, earthRadius * math.Pi / 180},
		{[2]string{"0", "0"}, [2]string{"1", "0"}, earthRadius * math.Pi / 180},
		{[2]string{"0", "179.5"}, [2]string{"0", "-179.5"}, earthRadius * math.Pi / 180},
		{[2]string{"60", "0"}, [2]string{"60", "1"}, 55.5974},
		{[2]string{"90", "0"}, [2]string{"-90", "0"}, earthRadius * math.Pi},
		{[2]string{"90", "0"}, [2]string{"90", "120"}, 0},
		{[2]string{"52.2297", "21.0122"}, [2]string{"50.0647", "19.9450"}, 251.98},
	} {
		got := at(t, c.from[0], c.from[1]).kilometres(at(t, c.to[0], c.to[1]))
		if math.Abs(got-c.want) > 0.05 {
			t.Errorf("from %v to %v: %f km, want %f", c.from, c.to, got, c.want)
		}
	}
}

func TestCircle(t *testing.T) {
	circle := Circle{Place: at(t, "59.9139", "10.7522"), Radius: 100} // one kilometre
	for _, c := range []struct {
		latitude, longitude string
		inside              bool
	}{
		{"59.9139", "10.7522", true},
		{"59.9228", "10.7522", true},  // 0.99 km to the north
		{"59.9230", "10.7522", false}, // 1.01 km
		{"59.9139", "10.7700", true},  // 0.99 km to the east
		{"59.9139", "10.7704", false}, // 1.01 km
	} {
		if got := circle.contains(at(t, c.latitude, c.longitude)); got != c.inside {
			t.Errorf("%s, %s: inside is %t", c.latitude, c.longitude, got)
		}
	}
}

func TestDegreesReadBack(t *testing.T) {
	for text, want := range map[string]Degrees{
		"0": 0, "59.9139": 599_139_000, "-0.0000001": -1, "-180": -1_800_000_000, "10.5": 105_000_000,
	} {
		var d Degrees
		if err := json.Unmarshal([]byte(text), &d); err != nil || d != want {
			t.Errorf("%s is read as %d, %v", text, d, err)
		}
		if printed, err := json.Marshal(want); err != nil || string(printed) != text {
			t.Errorf("%d is printed as %s, %v", want, printed, err)
		}
	}
	var d Degrees
	if err := json.Unmarshal([]byte(`"north"`), &d); err == nil {
		t.Error("a word was read")
	}
	rapid.Check(t, func(t *rapid.T) {
		want := Degrees(rapid.Int64Range(-1_800_000_000, 1_800_000_000).Draw(t, "angle"))
		text, err := json.Marshal(want)
		var got Degrees
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || got != want {
			t.Fatalf("%d is printed as %s and read as %d, %v", want, text, got, err)
		}
	})
}
