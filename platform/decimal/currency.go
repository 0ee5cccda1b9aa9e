package decimal

// otherDigits holds the currencies of ISO 4217 that do not have two digits after the point.
var otherDigits = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
	"UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// CurrencyDigits returns the digits after the point of a currency, given by its code in ISO 4217. The tables of
// golang.org/x/text/currency and of browsers are those of CLDR, which leave out the digits of IQD, LBP and others.
func CurrencyDigits(code string) int {
	if digits, found := otherDigits[code]; found {
		return digits
	}
	return 2
}
