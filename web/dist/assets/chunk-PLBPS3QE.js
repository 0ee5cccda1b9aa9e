import{a as r}from"/assets/chunk-GYLGQZID.js";import{d as t}from"/assets/chunk-ZMQ7SMPH.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
