import{a as r}from"/assets/chunk-O7DXC6RU.js";import{D as t}from"/assets/chunk-I3DHU63S.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
