import{a as r}from"/assets/chunk-VBSSLXRJ.js";import{D as t}from"/assets/chunk-SC55YI4D.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
