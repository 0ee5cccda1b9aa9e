package store

import (
	"math/big"

	"punchcard/platform/decimal"
)

// RoundPoints rounds exact hundredths of points, which are not negative, as the store wants the points that rules give.
// Half a unit is rounded up unless points are rounded down.
func (s *Settings) RoundPoints(hundredths *big.Rat) *big.Int {
	unit := int64(1)
	if s.WholePoints() {
		unit = int64(decimal.Whole(1))
	}
	units := new(big.Rat).Quo(hundredths, new(big.Rat).SetInt64(unit))
	if s.PointsRounding != PointsFloor {
		units.Add(units, big.NewRat(1, 2))
	}
	rounded := new(big.Int).Quo(units.Num(), units.Denom())
	return rounded.Mul(rounded, big.NewInt(unit))
}

// RuleGives returns the points that a rule with a fixed number of points gives.
func (s *Settings) RuleGives(points decimal.Hundredths) decimal.Hundredths {
	return decimal.Hundredths(s.RoundPoints(new(big.Rat).SetInt64(int64(points))).Int64())
}

// LocksPoints reports whether new points are pending for some days.
func (s *Settings) LocksPoints() bool { return !s.AllTimeNotLocked && s.PointsDaysLocked > 0 }

// WholePoints reports whether rules give whole points only.
func (s *Settings) WholePoints() bool {
	return s.PointsRounding == PointsFloor || s.PointsRounding == PointsHalfUp
}
