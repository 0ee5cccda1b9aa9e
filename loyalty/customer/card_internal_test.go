package customer

import (
	"regexp"
	"testing"
)

// sound reports whether a number is valid by Luhn.
func sound(number string) bool {
	return checkDigit(number[:len(number)-1]) == number[len(number)-1]
}

func TestCheckDigit(t *testing.T) {
	for number, want := range map[string]byte{"7992739871": '3', "411111111111111": '1', "0": '0', "": '0'} {
		if got := checkDigit(number); got != want {
			t.Errorf("%s: %c, want %c", number, got, want)
		}
	}
}

// A card number shows each wrong digit, and no two are alike.
func TestNewCardNumbers(t *testing.T) {
	form, seen := regexp.MustCompile(`^9[0-9]{15}$`), map[string]bool{}
	for range 1000 {
		number := newCardNumber()
		if !form.MatchString(number) || !sound(number) || seen[number] {
			t.Fatalf("%s, seen before: %t", number, seen[number])
		}
		seen[number] = true
	}
	number := []byte(newCardNumber())
	for i := range number {
		wrong := append([]byte{}, number...)
		wrong[i] = '0' + (wrong[i]-'0'+3)%10
		if sound(string(wrong)) {
			t.Errorf("%s instead of %s is not noticed", wrong, number)
		}
	}
}
