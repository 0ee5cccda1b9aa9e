import{a,b}from"/assets/chunk-ZIOY4SNS.js";import"/assets/chunk-ZPGMAOUP.js";import"/assets/chunk-TCIGYQLM.js";export{b as default,a as nameOf};
