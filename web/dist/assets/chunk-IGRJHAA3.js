import{a as r}from"/assets/chunk-MN7MIAZV.js";import{A as t}from"/assets/chunk-JJDEO4Y6.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
