import{b as a,c as b}from"/assets/chunk-EVQUC7HN.js";import"/assets/chunk-43VKQQDM.js";import"/assets/chunk-2DT24BP5.js";import"/assets/chunk-L5CIOFBH.js";export{b as Status,a as default};
