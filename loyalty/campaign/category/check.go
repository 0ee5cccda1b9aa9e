package category

import "punchcard/platform/check"

// Categories is the table that rows of other packages refer to.
var Categories = check.Table{Name: "categories", ID: "category_id"}

// Rules returns the invariants of categories.
func Rules() []check.Rule {
	return []check.Rule{check.JSON[[]Translation]("category.translations", Categories, "translations")}
}
