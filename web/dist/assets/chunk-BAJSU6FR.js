import{a as r}from"/assets/chunk-S3HBXAAF.js";import{d as t}from"/assets/chunk-2HYLNR3K.js";var l=o=>r(t("/api/{store}/level/{level}/photo",{level:o}));export{l as a};
