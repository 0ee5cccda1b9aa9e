import{a as r}from"/assets/chunk-F7RC73WE.js";import{C as t}from"/assets/chunk-ZD6Y6FJX.js";var p=o=>r(t(`/api/{store}/level/${o}/photo`));export{p as a};
