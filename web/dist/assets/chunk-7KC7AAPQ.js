import{a as r}from"/assets/chunk-CAPZAN2M.js";import{A as t}from"/assets/chunk-PPP4EQUA.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
