import{a as r}from"/assets/chunk-3FFGO4NW.js";import{D as t}from"/assets/chunk-BPNJHFPP.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
