import{a as r}from"/assets/chunk-NNIHV5I3.js";import{G as t}from"/assets/chunk-VZMS67QT.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
