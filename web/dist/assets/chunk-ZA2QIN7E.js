import{b as a,c as b}from"/assets/chunk-YX6W3K5L.js";import"/assets/chunk-5NMVSQZP.js";import"/assets/chunk-T3DIWBAJ.js";export{b as Status,a as default};
