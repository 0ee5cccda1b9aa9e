import{a as r}from"/assets/chunk-UGRGOCXI.js";import{d as t}from"/assets/chunk-RS5QAZJV.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
