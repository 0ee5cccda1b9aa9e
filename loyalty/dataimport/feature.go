package dataimport

import (
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// Feature returns imports of files. See docs/behaviour/imports.md.
func (svc *Service) Feature(d *db.DB) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Imports",
			Description: "Import files with customers, points or receipts, and see the progress and the errors."},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			ForgetUnlinked: Forget,
			NotExported:    "what was imported is exported by its features",
			NotForgotten:   "lines of files name customers by their contacts: ForgetUnlinked clears them",
			NotHandedOver:  "it stays with the merged customer",
		},
		Jobs: []job.Job{
			{Name: "imports", Every: 15 * time.Second, Run: store.Everywhere(d, svc.CarryOut)},
			{Name: "old imports", Every: time.Hour, Run: store.Everywhere(d, svc.Clean)},
		},
		Rules:  Rules(),
		Tables: []check.Table{Imports},
		Limits: []feature.Limit{
			{Name: "importRecords", Value: RecordLimit, Unit: "records"},
			{Name: "importFile", Value: FileLimit, Unit: "bytes"},
			{Name: "importRecord", Value: RecordBytes, Unit: "bytes"},
			{Name: "importPreviewRecords", Value: PreviewRecords, Unit: "records"},
			{Name: "importLayouts", Value: LayoutsKept, Unit: "layouts"},
			{Name: "importsAtOnce", Value: AtOnce, Unit: "imports"},
			feature.Seconds("importFileRetention", FileRetention, ""),
			feature.Seconds("importRetention", Retention, ""),
		},
	}
}
