import{a as r}from"/assets/chunk-UFKGYRFO.js";import{F as t}from"/assets/chunk-LLDVHTO3.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
