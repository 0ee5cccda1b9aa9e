import{a as r}from"/assets/chunk-3UUAZ2BA.js";import{F as t}from"/assets/chunk-RYCC6Z2V.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
