import{a as r}from"/assets/chunk-3IVJ544S.js";import{C as t}from"/assets/chunk-2UAC5INH.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
