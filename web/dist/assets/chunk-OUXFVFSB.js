import{D as e,H as t,aa as o}from"/assets/chunk-MFAXOTXE.js";function r(){return t(o,{title:e("signIn.till"),children:t("span",{})})}export{r as default};
