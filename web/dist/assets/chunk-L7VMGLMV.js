import{a as r}from"/assets/chunk-YKKDZDHD.js";import{G as t}from"/assets/chunk-XCRZNHHA.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
