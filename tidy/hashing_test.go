package tidy

import (
	"go/ast"
	"go/token"
	"slices"
)

// hashing are the functions that take tens of milliseconds of a core. On SQLite there is one writer for all.
var hashing = []string{"Hash", "Verify"}

// hashingRules checks that no password is hashed inside an operation, which is a function that takes a *db.Tx: on
// SQLite every other write would wait for it, and on PostgreSQL all who want the rows that it holds.
func hashingRules(files []file) []string {
	var violations []string
	for _, f := range files {
		if f.isTest() {
			continue
		}
		calls := map[token.Pos]bool{} // each once, though functions stand in functions
		ast.Inspect(f.syntax, func(node ast.Node) bool {
			var parameters *ast.FuncType
			var body *ast.BlockStmt
			switch function := node.(type) {
			case *ast.FuncDecl:
				parameters, body = function.Type, function.Body
			case *ast.FuncLit:
				parameters, body = function.Type, function.Body
			}
			if body == nil || !slices.ContainsFunc(parameters.Params.List, isTx) {
				return true
			}
			ast.Inspect(body, func(node ast.Node) bool {
				if ofPasswords(node, hashing...) && !calls[node.Pos()] {
					calls[node.Pos()] = true
					violations = append(violations, f.at(node.Pos(), "hashes a password inside an operation"))
				}
				return true
			})
			return true
		})
	}
	return violations
}

// cheapHashRules checks that only tests make hashes cheap.
func cheapHashRules(files []file) []string {
	var violations []string
	for _, f := range files {
		if f.isTest() {
			continue
		}
		ast.Inspect(f.syntax, func(node ast.Node) bool {
			if ofPasswords(node, "Cheapen") {
				violations = append(violations, f.at(node.Pos(), "makes hashes cheap outside of tests"))
			}
			return true
		})
	}
	return violations
}

// ofPasswords reports whether a node is one of the functions of package password.
func ofPasswords(node ast.Node, names ...string) bool {
	selector, is := node.(*ast.SelectorExpr)
	return is && isName(selector.X, "password") && slices.Contains(names, selector.Sel.Name)
}

// isTx reports whether a parameter is the transaction of an operation.
func isTx(parameter *ast.Field) bool {
	pointer, isPointer := parameter.Type.(*ast.StarExpr)
	if !isPointer {
		return false
	}
	selector, isSelector := pointer.X.(*ast.SelectorExpr)
	return isSelector && isName(selector.X, "db") && selector.Sel.Name == "Tx"
}

func isName(expression ast.Expr, name string) bool {
	identifier, is := expression.(*ast.Ident)
	return is && identifier.Name == name
}
