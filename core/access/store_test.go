package access_test

import (
	"math/rand/v2"
	"testing"

	"punchcard/core/access"
)

// An administrator with roles in some stores has in each exactly what the role there gives, and nothing elsewhere.
func TestRolesInStoresGiveNoMore(t *testing.T) {
	const stores = 5
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		of := map[int64]map[string][]string{}
		for store := range int64(stores) {
			if random.IntN(3) == 0 {
				continue
			}
			of[store] = map[string][]string{}
			for _, resource := range access.Resources {
				if random.IntN(2) == 0 {
					of[store][resource] = []string{[]string{access.View, access.Modify}[random.IntN(2)]}
				}
			}
		}
		c := &access.Caller{Role: access.Administrator, Stores: of}
		for store := range int64(stores + 1) {
			inside := c.In(store)
			if _, has := of[store]; c.Reaches(store) != has {
				t.Fatalf("store %d is reached with %v", store, of)
			}
			for _, resource := range access.Resources {
				for _, wanted := range []string{access.View, access.Modify} {
					everywhere := access.Caller{Role: access.Administrator, Permissions: of[store]}
					rule := access.AdministratorWith(resource, wanted)
					if got := rule.Check(inside) == nil; got != everywhere.Allowed(resource, wanted) {
						t.Fatalf("%s %s in store %d is %t with %v", resource, wanted, store, got, of[store])
					}
					if rule.Check(c) == nil {
						t.Fatalf("%s %s is allowed outside of stores", resource, wanted)
					}
				}
			}
		}
	}
}
