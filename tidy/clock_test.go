package tidy

import (
	"go/ast"
	"path"
	"slices"
	"strings"
)

// serverClock lists the code of features that opens a transaction with the server's clock. All other code opens it with
// that of a store, by api.Call, store.Write, store.Read, store.NewBatch or store.NewReadBatch.
var serverClock = map[string]string{
	"core/store/clock.go":                "sets the clock of the store",
	"core/store/job.go":                  "reads the stores",
	"core/store/batch.go":                "sets the clock of the stores of a batch",
	"core/store/directory.go":            "reads the stores",
	"loyalty/analytics/recompute.go":     "compares the rows of a snapshot, whatever the time",
	"loyalty/segment/rebuild.go":         "reads the store of a rebuild",
	"loyalty/identity/apikey/use.go":     "uses of keys keep to the server's clock",
	"loyalty/identity/auth":              "sessions and tokens keep to the server's clock",
	"loyalty/identity/till/api.go":       "tries at a PIN have no time",
	"loyalty/identity/sso/attempt.go":    "sign-ins keep to the server's clock",
	"core/audit":                         "entries keep to the server's clock",
	"loyalty/webhook":                    "deliveries keep to the server's clock",
	"loyalty/journey/recipe_purchase.go": "reads the events of all stores, and sets the clock of each",
	"loyalty/message/former_pushes.go":   "messages keep to the server's clock",
	"loyalty/message/sender.go":          "messages keep to the server's clock",
	"loyalty/message/clean.go":           "messages keep to the server's clock",
	"loyalty/cashback/sender.go":         "messages to providers keep to the server's clock",
	"loyalty/identity/auth/authtest":     "is a test site",
	"loyalty/level/shoptest":             "opens shops for tests, which move the clock themselves",
	"loyalty/customer/customertest":      "does the same for shops with customers",
}

// openings are the functions of platform/db that open a transaction with the server's clock. All have two arguments.
var openings = []string{"Write", "Read", "ReadBatch", "Snapshot"}

// batchOpenings are those of platform/db/batch.
var batchOpenings = []string{"New", "NewRead"}

// clockRules checks that features open transactions with the clock of a store.
func clockRules(files []file) []string {
	var violations []string
	for _, f := range files {
		if f.isTest() || top(f.path) != "loyalty" || serverClock[f.path] != "" || serverClock[f.folder()] != "" {
			continue
		}
		ast.Inspect(f.syntax, func(node ast.Node) bool {
			call, is := node.(*ast.CallExpr)
			if !is {
				return true
			}
			selector, is := call.Fun.(*ast.SelectorExpr)
			if is && f.opens(selector) && len(call.Args) == 2 && takesTx(call.Args[1]) && !ofCall(selector, call.Args) {
				violations = append(violations, f.at(call.Pos(),
					"%s opens a transaction with the server's clock; use that of the store, or add the file to serverClock",
					selector.Sel.Name))
			}
			return true
		})
	}
	slices.Sort(violations)
	return violations
}

// opens reports whether a function opens a transaction with the server's clock.
func (f file) opens(selector *ast.SelectorExpr) bool {
	if name, is := selector.X.(*ast.Ident); is && name.Name == "batch" {
		return slices.Contains(batchOpenings, selector.Sel.Name)
	}
	return slices.Contains(openings, selector.Sel.Name) && !f.isOtherPackage(selector.X)
}

// ofCall reports whether a function is Write of api.Call, which has the operation in place of a context, and then the
// response.
func ofCall(function *ast.SelectorExpr, arguments []ast.Expr) bool {
	if _, is := arguments[0].(*ast.FuncLit); is {
		return true
	}
	receiver, isName := function.X.(*ast.Ident)
	respond, isMethod := arguments[1].(*ast.SelectorExpr)
	if !isName || !isMethod {
		return false
	}
	of, is := respond.X.(*ast.Ident)
	return is && of.Name == receiver.Name
}

// takesTx reports whether an argument can be an operation. A name can.
func takesTx(argument ast.Expr) bool {
	literal, is := argument.(*ast.FuncLit)
	return !is || slices.ContainsFunc(literal.Type.Params.List, isTx)
}

// isOtherPackage reports whether an expression names an imported package other than db.
func (f file) isOtherPackage(expression ast.Expr) bool {
	name, is := expression.(*ast.Ident)
	return is && name.Name != "db" && slices.ContainsFunc(f.syntax.Imports, func(spec *ast.ImportSpec) bool {
		return path.Base(strings.Trim(spec.Path.Value, `"`)) == name.Name
	})
}
