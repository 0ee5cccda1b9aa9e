import{a as r}from"/assets/chunk-EZMTCBPG.js";import{F as t}from"/assets/chunk-NRYEMUTC.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
