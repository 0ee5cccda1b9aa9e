package main

import (
	"testing"

	"punchcard/app/apptest"
)

// What was acknowledged is found again. A write that is missing, or that nobody knows of, is found, too.
func TestTradeFindsWhatIsLostAndDoubled(t *testing.T) {
	program, err := apptest.Build(t.Context(), t.TempDir(), []string{"CGO_ENABLED=0"})
	if err != nil {
		t.Fatal(err)
	}
	n := &node{flags: []string{"--data", t.TempDir(), "--listen=127.0.0.1:0"}}
	if err := n.start(t.Context(), program); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := n.stop(); err != nil {
			t.Error(err)
		}
	}()
	tr, err := openTrade(t.Context(), n.Base, 2)
	if err != nil {
		t.Fatal(err)
	}
	l := tr.start(t.Context(), "test", 0, 2, n.Base)
	if err := l.more(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	if err := tr.end(l); err != nil {
		t.Fatal(err)
	}
	expect := func(what string, wantLost, wantDoubled int) {
		t.Helper()
		lost, doubled, err := tr.compare(t.Context())
		if err != nil || len(lost) != wantLost || len(doubled) != wantDoubled {
			t.Errorf("%s: lost %v, doubled %v, %v", what, lost, doubled, err)
		}
	}
	if len(tr.coupons) == 0 || len(tr.receipts) == 0 {
		t.Errorf("%d coupons and %d receipts are acknowledged", len(tr.coupons), len(tr.receipts))
	}
	expect("as it was acknowledged", 0, 0)
	tr.receipts["test-9-9"] = true
	expect("with a receipt that is not stored", 1, 0)
	for id := range tr.coupons {
		delete(tr.coupons, id)
		break
	}
	expect("and a coupon that nobody knows of", 1, 1)
}
