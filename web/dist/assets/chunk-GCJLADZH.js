import{a as r}from"/assets/chunk-24LZZTH4.js";import{G as t}from"/assets/chunk-EJO7WJ33.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
