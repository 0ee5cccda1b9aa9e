package calendar

// Periods are the calendar periods in which limits count.
var Periods = []string{"day", "week", "month", "3months", "6months", "year"}

// PeriodOf returns the first day of the calendar period that contains a day, and the first of the next one. Weeks begin
// on Monday, 3 months are a quarter, 6 months a half of the year. ok is false for names that are not in Periods.
func PeriodOf(name string, day Day) (first, next Day, ok bool) {
	_, month, _ := day.Date()
	months := func(n int) (Day, Day, bool) {
		first := day.Month(-int(month-1) % n)
		return first, first.Month(n), true
	}
	switch name {
	case "day":
		return day, day + 1, true
	case "week":
		return day.Monday(), day.Monday() + 7, true
	case "month":
		return months(1)
	case "3months":
		return months(3)
	case "6months":
		return months(6)
	case "year":
		return months(12)
	}
	return 0, 0, false
}
