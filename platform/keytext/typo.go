package keytext

// IsTypo reports whether one letter of a name is missing, added, or another one, or two neighbors are swapped.
func IsTypo(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) == len(b)+1:
		return a[i+1:] == b[i:]
	case len(a) != len(b) || a == b:
		return false
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
