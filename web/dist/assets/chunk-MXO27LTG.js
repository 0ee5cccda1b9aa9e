import{a as r}from"/assets/chunk-HRGHIIMO.js";import{D as t}from"/assets/chunk-MMFLCH6Z.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
