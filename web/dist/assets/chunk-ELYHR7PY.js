import{a as r}from"/assets/chunk-TI6B2FW6.js";import{F as t}from"/assets/chunk-RZ2NAQI2.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
