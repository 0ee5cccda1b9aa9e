//go:build !faults

package main

import "punchcard/app"

// injectFaults does nothing in a build without the tag faults.
func injectFaults(*app.Config) error { return nil }
