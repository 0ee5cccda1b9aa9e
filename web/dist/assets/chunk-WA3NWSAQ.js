import{a as r}from"/assets/chunk-OSJVJH6A.js";import{G as t}from"/assets/chunk-T5NBHM2T.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
