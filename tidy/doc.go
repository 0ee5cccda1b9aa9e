// Package tidy holds the rules of the house as tests: who may import whom, sizes, comments, and who owns a table.
//
// Each list in these tests gives its reasons beside it. To place a new feature, write its folder into featureOrder;
// to place a new package of the platform, write it into platformRank.
package tidy
