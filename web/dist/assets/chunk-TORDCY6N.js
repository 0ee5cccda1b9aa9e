import{a,b}from"/assets/chunk-TZOKYR2I.js";import"/assets/chunk-7PHTGO6K.js";import"/assets/chunk-KQ7I5MM4.js";export{b as default,a as nameOf};
