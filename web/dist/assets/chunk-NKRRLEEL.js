import{a as r}from"/assets/chunk-R7JZYUUF.js";import{F as t}from"/assets/chunk-2QKOAMRM.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
