import{a as r}from"/assets/chunk-H2B2N3DO.js";import{G as t}from"/assets/chunk-JJE5EFRB.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
