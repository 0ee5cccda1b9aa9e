import{D as e,H as t,aa as r}from"/assets/chunk-MFAXOTXE.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
