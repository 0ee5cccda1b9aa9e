import{a as r}from"/assets/chunk-2W7XQ6JL.js";import{A as t}from"/assets/chunk-5Y72NPSA.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
