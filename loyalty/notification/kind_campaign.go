package notification

// campaignAvailable is about a campaign that became available. Its text is the one that an
// administrator wrote. Announcements make these notifications.
var campaignAvailable = &kind{
	name: "campaign",
	show: func(n *Notification, v *view) { v.CampaignID = n.SubjectID },
}
