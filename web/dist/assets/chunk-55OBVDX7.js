import{a as r}from"/assets/chunk-PUJPYYMV.js";import{d as t}from"/assets/chunk-ICWRLFY7.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
