import{$ as o,C as e,G as t}from"/assets/chunk-Z5KS3FNS.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
