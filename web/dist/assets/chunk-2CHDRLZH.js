import{D as e,M as t,ga as o}from"/assets/chunk-BIQOUKHE.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
